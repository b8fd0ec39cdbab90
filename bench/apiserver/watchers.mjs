/** Connections that open at the same time: the listener refuses more than its backlog. */
const maxInFlight = 200;

/** Opens watches and counts the events that arrive on all of them. */
export async function openWatchers(watch, path, count) {
  const seen = { events: 0, wake: () => {} };
  const responses = [];
  while (responses.length < count) {
    const missing = Math.min(maxInFlight, count - responses.length);
    const opened = await Promise.all(Array.from({ length: missing }, () => watch(path)));
    for (const response of opened) {
      response.on('error', () => {});
      response.on('data', (chunk) => countLines(chunk, seen));
    }
    responses.push(...opened);
  }
  return {
    async until(wanted) {
      while (seen.events < wanted) await new Promise((resolve) => (seen.wake = resolve));
    },
    close() {
      for (const response of responses) response.destroy();
    },
  };
}

function countLines(chunk, seen) {
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) seen.events += 1;
  seen.wake();
}
