/**
 * Where the generator reads from: a folder on disk, or the staged files of a plan before they are written.
 */
export interface SourceFiles {
  /**
   * Lists files below a folder.
   * @param dir project-relative POSIX path without a trailing slash
   * @returns project-relative POSIX paths; empty if the folder does not exist
   */
  list(dir: string): string[];
  /**
   * Reads a file as UTF-8.
   * @param path project-relative POSIX path
   * @returns its text, or undefined if the file does not exist
   */
  read(path: string): string | undefined;
}
