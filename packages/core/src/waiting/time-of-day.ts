/** `17:00`, in the time zone of this process; with its day where that is another one. */
export function timeOfDay(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = `${two(then.getHours())}:${two(then.getMinutes())}`;
  if (then.toDateString() === today.toDateString()) return time;
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`;
}

const two = (part: number): string => String(part).padStart(2, '0');
