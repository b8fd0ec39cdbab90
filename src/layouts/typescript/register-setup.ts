import { insertAtMarker } from '../../scaffold/insertions/insert-at-marker.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { importPath } from './import-path.ts';

/** Adds a setup function to a project's list of controllers or webhooks. */
export function registerSetup(
  tree: Tree,
  list: 'controllers' | 'webhooks',
  setupName: string,
  file: string,
): void {
  const index = `src/${list}/index.ts`;
  tree.edit(index, (text) => {
    const line = `import { ${setupName} } from '${importPath(index, file)}';`;
    const imported = insertAtMarker(text, index, '// +ots:scaffold:imports', line);
    return insertAtMarker(imported, index, `// +ots:scaffold:${list}`, `${setupName},`);
  });
}
