import type { FlagTable } from '../../src/flags/flag-definition.ts';
import { managerFlags } from '../../src/flags/manager-flags.ts';
import { ManagerMetrics } from '../../src/metrics/manager-metrics.ts';
import { StorageMigrationMetrics } from '../../src/storage-migration/storage-migration-metrics.ts';

/** The flags of an operator as a Markdown table. */
export function flagTable(): string {
  const flags: FlagTable = managerFlags;
  const rows = Object.entries(flags).map(([name, { type, placeholder, help, default: value, env }]) => {
    const usage = type === 'boolean' ? `--${name}` : `--${name}=<${placeholder}>`;
    const values = [
      ...(env === undefined ? [] : [`\`$${env}\``]),
      ...(value === undefined || value === '' ? [] : [`\`${value}\``]),
    ];
    return [`\`${usage}\``, values.join(', '), help];
  });
  return table(['Flag', 'Default', 'Meaning'], rows);
}

/** The metrics of a manager as a Markdown table. */
export function metricTable(): string {
  const metrics = new ManagerMetrics();
  // It is there as soon as there is a certificate.
  metrics.certificates().serving(0);
  // They are there as soon as the manager migrates the storage of a kind.
  new StorageMigrationMetrics(metrics).show('');
  const rows = metrics.registry.getMetricsAsArray().map((metric) => {
    const { name, help, labelNames } = metric as typeof metric & { labelNames: readonly string[] };
    return [`\`${name}\``, labelNames.map((label) => `\`${label}\``).join(', '), help];
  });
  return table(['Metric', 'Labels', 'Meaning'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(row).join('');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
}
