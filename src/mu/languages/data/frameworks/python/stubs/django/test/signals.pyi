from django.dispatch import Signal

setting_changed: Signal
template_rendered: Signal
