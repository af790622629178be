from django.views.generic.base import View as View
