/** What is wrong with a template of a catalog, as one line. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
