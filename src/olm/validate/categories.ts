import { csvFinding } from './csv.ts';
import type { Validator } from './validator.ts';

/** The categories of OperatorHub.io. */
const standard = [
  'AI/Machine Learning',
  'Application Runtime',
  'Big Data',
  'Cloud Provider',
  'Developer Tools',
  'Database',
  'Integration & Delivery',
  'Logging & Tracing',
  'Monitoring',
  'Modernization & Migration',
  'Networking',
  'OpenShift Optional',
  'Security',
  'Storage',
  'Streaming & Messaging',
  'Observability',
];

/** The categories, if the ClusterServiceVersion has some, are those of OperatorHub.io or of the file with custom ones. */
export const validateCategories: Validator = ({ csv }, { categories = standard }) => {
  const text = csv?.csv.metadata?.annotations?.['categories'];
  if (!csv || text === undefined) return [];
  const report = (detail: string) => csvFinding('standardcategories', csv, 'error', detail);
  if ('problem' in categories) return [report(`the custom categories cannot be read: ${categories.problem}`)];
  const known = new Set(categories);
  const hint = categories === standard ? 'a category of OperatorHub.io' : 'among the custom categories';
  return text
    .split(',')
    .filter((category) => !known.has(category.trim()))
    .map((category) =>
      report(`metadata.annotations.categories has "${category.trim()}", which is not ${hint}`),
    );
};
