from django.dispatch import Signal

class_prepared: Signal
m2m_changed: Signal
post_delete: Signal
post_init: Signal
post_migrate: Signal
post_save: Signal
pre_delete: Signal
pre_init: Signal
pre_migrate: Signal
pre_save: Signal
