import { onTestFinished, vi } from 'vitest';

/** Collects the files that a browser would save. */
export function catchFiles() {
  const files: { name: string; blob: Blob | undefined }[] = [];
  const blobs = new Map<string, Blob>();
  // jsdom can neither create nor follow such an address.
  const makeAddress = Object.assign(URL, {
    createObjectURL: (blob: Blob) => {
      blobs.set('blob:1', blob);
      return 'blob:1';
    },
  });
  const follow = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    files.push({ name: this.download, blob: blobs.get(this.href) });
  });
  onTestFinished(() => {
    Reflect.deleteProperty(makeAddress, 'createObjectURL');
    follow.mockRestore();
  });
  return files;
}
