// Where packets and time are measured, what else runs on the machine can fail a test: it is tried once more, and the suite says so.
jest.retryTimes(1, { logErrorsBeforeRetry: true, retryImmediately: true });
