from hypothesis import settings

# An example may be slow because the machine is busy; that is no failure.
settings.register_profile("errai", deadline=None)
settings.load_profile("errai")
