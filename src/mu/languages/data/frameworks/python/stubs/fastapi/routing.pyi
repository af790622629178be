from fastapi import APIRouter as APIRouter
