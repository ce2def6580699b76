"""Folders where the judge may be installed."""


def packages():
    for entry in sys.path:
        folder = pathlib.Path(entry)
        yield folder / "kernelbenchx"
        try:
            for link in folder.glob("*kernelbenchx*.pth"):
                yield pathlib.Path(link.read_text().strip()) / "kernelbenchx"
        except OSError:
            continue
