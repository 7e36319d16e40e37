/** Node puts the terminal in order when it ends, and aborts where that is gone. So this ends as such processes do: by the signal. */
export function endWithoutTerminal(process: NodeJS.Process, isExiting: boolean): void {
  const end = () => {
    process.kill(process.pid, 'SIGHUP');
    process.kill(process.pid, 'SIGKILL'); // the first signal was ignored
  };
  if (isExiting) end();
  else process.once('exit', end);
}
