from fastapi import FastAPI as FastAPI
