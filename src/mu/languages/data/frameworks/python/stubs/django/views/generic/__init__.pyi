from typing import Any

from django.views.generic.base import (
    RedirectView as RedirectView,
    TemplateView as TemplateView,
    View as View,
)
from django.views.generic.detail import DetailView as DetailView
from django.views.generic.edit import (
    CreateView as CreateView,
    DeleteView as DeleteView,
    FormView as FormView,
    UpdateView as UpdateView,
)
from django.views.generic.list import ListView as ListView

def __getattr__(name: str) -> Any: ...
