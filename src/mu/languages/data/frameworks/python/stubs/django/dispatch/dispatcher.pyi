from django.dispatch import Signal as Signal, receiver as receiver
