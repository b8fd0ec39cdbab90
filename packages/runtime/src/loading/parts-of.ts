import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Some modules of a CommonJS package instead of all of it: the entries of undici and prom-client load fetch, WebSockets
 * and OpenTelemetry as well, which takes a program 100 ms and 20 MB at start. Files of a package are no promise of
 * its authors: should one not be where it was, the whole package does as well.
 * @param paths of the modules, each of which exports one of the parts.
 * @param whole gives the same parts from the package's entry.
 * @param load for tests.
 */
export function partsOf<Parts extends object>(
  paths: Record<keyof Parts, string>,
  whole: (load: (id: string) => unknown) => Parts,
  load: (id: string) => unknown = require,
): Parts {
  try {
    return Object.fromEntries(
      Object.entries<string>(paths).map(([name, path]) => [name, load(path)]),
    ) as Parts;
  } catch {
    return whole(load);
  }
}
