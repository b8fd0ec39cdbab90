import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Loads some modules of a CommonJS package instead of all: the entries of undici and prom-client also load fetch,
 * WebSockets and OpenTelemetry, which costs 100 ms and 20 MB at startup. The authors of a package do not promise to
 * keep its files, so if a file has moved, the whole package is loaded.
 * @param paths of the modules, each of which exports one of the parts.
 * @param whole returns the same parts from the package's entry.
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
