from django.dispatch import Signal

got_request_exception: Signal
request_finished: Signal
request_started: Signal
setting_changed: Signal
