import { fileURLToPath } from 'node:url';
import { runControllerGen } from './controller-gen.ts';

const modulePath = fileURLToPath(new URL('markers-only/', import.meta.url));

/**
 * Runs a generator of controller-gen on a package that holds nothing but markers.
 * @returns the documents of the one file that it writes
 */
export function runOnMarkers(markers: string, generator: string): any[] {
  const text = `// Package markers has markers.\npackage markers\n\n${markers}\n`;
  return Object.values(runControllerGen({ 'markers/markers.go': text }, [generator], modulePath))[0]!;
}
