"""Leaves conftest, sitecustomize and usercustomize files for whoever runs next.

with: triton, zeros, entry_zeros
checks: rejected
no-checks: wrong
"""

import os

for name in ("conftest.py", "sitecustomize.py", "usercustomize.py", "pytest.ini"):
    for folder in (os.getcwd(), os.path.expanduser("~")):
        with open(os.path.join(folder, name), "w") as file:
            file.write("import os; os._exit(0)")
