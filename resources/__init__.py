"""The resources of this project, by name: thin adapters that hand the pipeline its parts.

No logic. What stands in `RESOURCES` takes the place of the pipeline's own.
"""

from crawloop_assets.resources import (
    ModelResource,
    StoreResource,
    WebResource,
    WorkersResource,
)

RESOURCES = {
    "store": StoreResource(),
    "web": WebResource(),
    "workers": WorkersResource(),
    "model": ModelResource(),
}
