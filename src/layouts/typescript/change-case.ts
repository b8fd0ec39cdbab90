/** Converts `job-watcher` to `JobWatcher`, and `foo.policy` to `FooPolicy`. */
export function pascalCase(name: string): string {
  return name
    .split(/[-.]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

/** Converts `job-watcher` to `jobWatcher`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal.slice(0, 1).toLowerCase() + pascal.slice(1);
}
