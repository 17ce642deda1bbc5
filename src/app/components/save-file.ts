/** Saves parts of a file, by clicking a download link. */
export function saveFile(name: string, type: string, ...parts: BlobPart[]): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export const csvType = 'text/csv;charset=utf-8';
