"""What may be asked of a worker, and what it answers. Pure data, one class pair per purpose."""

from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict

from crawloop_assets.page import Page

A = TypeVar("A", bound=BaseModel)


class Answer(BaseModel):
    """Base of all answers: data only, nothing unknown accepted."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Job(BaseModel, Generic[A]):
    """One piece of work on one or more pages. `answer` is the model its answer must fit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    answer: ClassVar[type[BaseModel]]
    long: ClassVar[bool] = False
    """Works on many pages at once: gets the long deadline."""

    def documents(self) -> tuple[Page, ...]:
        """The pages of this job; their bytes travel beside the job."""
        raise NotImplementedError

    @classmethod
    def of(cls, fields: Mapping[str, Any], pages: tuple[Page, ...]) -> Self:
        """The job again, from its other fields and its pages."""
        raise NotImplementedError


class PageJob(Job[A], Generic[A]):
    """Work on one page."""

    page: Page

    def documents(self) -> tuple[Page, ...]:
        return (self.page,)

    @classmethod
    def of(cls, fields: Mapping[str, Any], pages: tuple[Page, ...]) -> Self:
        return cls(**fields, page=pages[0])


class PagesJob(Job[A], Generic[A]):
    """Work on several pages at once."""

    long: ClassVar[bool] = True

    pages: tuple[Page, ...]

    def documents(self) -> tuple[Page, ...]:
        return self.pages

    @classmethod
    def of(cls, fields: Mapping[str, Any], pages: tuple[Page, ...]) -> Self:
        return cls(**fields, pages=pages)
