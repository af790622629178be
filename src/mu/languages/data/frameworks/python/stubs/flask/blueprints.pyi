from flask import Blueprint as Blueprint
