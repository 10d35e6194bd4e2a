from hypothesis import settings

pytest_plugins = ["pytester", "tests.conformance.plugin", "tests.databases"]

# The same examples in every run; `pytest --hypothesis-profile=random` looks for new ones.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.register_profile("random", deadline=None)
settings.load_profile("repeatable")
