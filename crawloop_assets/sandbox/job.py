"""A piece of work for a worker, and what every answer is: the classes that those of
`jobs` are made of."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict

from crawloop_assets.page import Page
from crawloop_assets.sandbox.slow import SlowJob

_Answer = TypeVar("_Answer", bound=BaseModel)


class JobAnswer(BaseModel):
    """Base of the answers made here: data only, nothing unknown accepted."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Job(BaseModel, Generic[_Answer]):
    """One piece of work on one or more pages.

    `answer` is the model its answer must fit.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    answer: ClassVar[type[BaseModel]]
    long: ClassVar[bool] = False
    """Works on many pages at once: gets the long deadline."""

    @property
    def roomy(self) -> bool:
        """Whether its page may be larger than others."""
        return False

    @abstractmethod
    def documents(self) -> tuple[Page, ...]:
        """The pages of this job; their bytes travel beside the job."""

    def slow_key(self) -> SlowJob | None:
        """What is remembered if it runs out of time; None for work that is not done
        again and again."""
        return None

    @classmethod
    @abstractmethod
    def of(cls, fields: Mapping[str, Any], pages: tuple[Page, ...]) -> Self:
        """The job again, from its other fields and its pages."""


class PageJob(Job[_Answer], Generic[_Answer]):
    """Work on one page."""

    page: Page

    def documents(self) -> tuple[Page, ...]:
        """The one page of the job."""
        return (self.page,)

    @classmethod
    def of(cls, fields: Mapping[str, Any], pages: tuple[Page, ...]) -> Self:
        """The job again, beyond the wire, where its page comes apart from its fields."""
        return cls(**fields, page=pages[0])


class PagesJob(Job[_Answer], Generic[_Answer]):
    """Work on several pages at once."""

    long: ClassVar[bool] = True

    pages: tuple[Page, ...]

    def documents(self) -> tuple[Page, ...]:
        """The pages of the job, in order."""
        return self.pages

    @classmethod
    def of(cls, fields: Mapping[str, Any], pages: tuple[Page, ...]) -> Self:
        """The job again, beyond the wire, where its pages come apart from its fields."""
        return cls(**fields, pages=pages)
