"""A fake AWS on a free port of the loopback interface, with the account of a cluster.

Beside the APIs of AWS it answers GET /account with what was set up, and GET /account/inventory with what is there. The
address is the first line of its output.
"""

import json
import traceback
from threading import Lock, Thread
from typing import Any

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

from account import SIGN, Account
from moto_repairs import repair


class Silent(WSGIRequestHandler):
    """Does not write down every request."""

    def log_request(self, *_: Any) -> None:
        pass


class FakeAws:
    """A WSGI application: moto, and what it is asked about the account.

    Nothing changes while the account is looked at, so that every answer is of one moment.
    """

    def __init__(self) -> None:
        self._turn = Lock()
        self._moto = DomainDispatcherApplication(create_backend_app)
        self._questions: dict[str, Any] = {}

    def answer(self, path: str, question: Any) -> None:
        self._questions[path] = question

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        question = self._questions.get(environ["PATH_INFO"])
        if SIGN in environ.get("HTTP_USER_AGENT", ""):
            return self._moto(environ, start_response)
        with self._turn:
            if question is None:
                return self._moto(environ, start_response)
            status, answer = self._ask(question)
        start_response(status, [("Content-Type", "application/json")])
        return [json.dumps(answer).encode()]

    @staticmethod
    def _ask(question: Any) -> tuple[str, Any]:
        try:
            return "200 OK", question()
        except Exception as error:  # whatever it is, the one who asked must be told
            traceback.print_exc()
            return "500 Internal Server Error", repr(error)


def main() -> None:
    repair()
    application = FakeAws()
    server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=Silent)
    serving = Thread(target=server.serve_forever, daemon=True)
    serving.start()
    endpoint = f"http://127.0.0.1:{server.server_port}"
    account = Account(endpoint)
    known = account.set_up()
    application.answer("/account", lambda: known)
    application.answer("/account/inventory", account.inventory)
    print(f"serving on {endpoint}", flush=True)
    serving.join()


main()
