/** `job-watcher` → `JobWatcher`, `foo.policy` → `FooPolicy`. */
export function pascalCase(name: string): string {
  return name
    .split(/[-.]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

/** `job-watcher` → `jobWatcher`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal.slice(0, 1).toLowerCase() + pascal.slice(1);
}
