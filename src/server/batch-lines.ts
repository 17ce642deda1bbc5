/** Ms that a line may wait for others: no reader of logs notices, and a write for each would be felt by all requests. */
const patience = 10;

/** Writes what comes shortly one after another at once; when the process exits, what is left. */
export function batchLines(write: (text: string) => void): (text: string) => void {
  let waiting = '';
  const flush = () => {
    if (waiting !== '') write(waiting);
    waiting = '';
  };
  process.on('exit', flush);
  return (text) => {
    if (waiting === '') setTimeout(flush, patience).unref();
    waiting += text;
  };
}
