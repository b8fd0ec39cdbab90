/**
 * Opens a URL in the browser of this machine.
 *
 * @throws if no program opens it
 */
export async function openPage(url: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  const { execa } = await import('execa');
  const [file, ...args] = opener(platform);
  // The browser may live longer than this process.
  await execa(file, [...args, url], { stdio: 'ignore', detached: true, cleanup: false });
}

function opener(platform: NodeJS.Platform): readonly [file: string, ...args: string[]] {
  if (platform === 'darwin') return ['open'];
  // `start` is a command of the shell; its first quoted argument is a title.
  return platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
}
