from flask import Flask as Flask
