/** Where the generator reads from: a folder on disk, or the staged files of a plan that is not written yet. */
export interface SourceFiles {
  /**
   * Lists files below a folder.
   * @param dir project-relative POSIX path without a trailing slash
   * @returns project-relative POSIX paths; empty when there is no such folder
   */
  list(dir: string): string[];
  /**
   * Reads a file as UTF-8.
   * @param path project-relative POSIX path
   * @returns its text, or undefined when there is no such file
   */
  read(path: string): string | undefined;
}
