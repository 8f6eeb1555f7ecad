"""Synthesises the stacks of one place: `python app.py ENVIRONMENT REGION [FOLDER]`, then `cdk deploy --app FOLDER`."""

import sys

import aws_cdk as cdk

from redwell_stacks.data import Data
from redwell_stacks.messages import Messages
from redwell_stacks.network import Network
from redwell_stacks.per_import import PerImport
from redwell_stacks.place import Place
from redwell_stacks.uploader import Uploader
from redwell_stacks.workers import Workers


def synthesise(place: Place, folder: str) -> None:
    app = cdk.App(outdir=folder, analytics_reporting=False)
    network = Network(app, f"{place.prefix}-Network", place)
    data = Data(app, f"{place.prefix}-Data", place, network)
    messages = Messages(app, f"{place.prefix}-Messages", place, data.statuses, data.key)
    uploader = Uploader(app, f"{place.prefix}-Uploader", place, network, data)
    Workers(app, f"{place.prefix}-Workers", place, (network, data, messages, uploader))
    PerImport(app, f"{place.prefix}-UploaderStack", place, (network, data, uploader))
    app.synth()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    synthesise(Place(sys.argv[1], sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "cdk.out")
