export const saveFile = (name: string, type: string, text: string): void =>
  saveBlob(name, new Blob([text], { type }));

/** Saves a file, by clicking a download link. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export const csvType = 'text/csv;charset=utf-8';
