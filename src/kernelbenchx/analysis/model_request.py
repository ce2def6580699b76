"""One request to a model as the analysis sees it: its cost, without its text."""

import msgspec


class ModelRequest(msgspec.Struct, frozen=True, gc=False):
    """A request and its reply."""

    key: str
    created: str
    task: str
    """`category/name`."""
    method: str
    model: str
    step: str
    """Where in the method it was made."""
    finish: str
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    cost: float | None
    """In dollars, where prices were known."""
    seconds: float
    tries: int

    @property
    def tokens(self) -> int:
        """What a cap on tokens counts."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def answered(self) -> bool:
        """Whether a reply arrived, whatever it holds."""
        return self.finish != "error"
