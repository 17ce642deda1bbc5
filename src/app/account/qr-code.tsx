import { encode } from 'uqr';

/** Modules of white around the code, without which cameras do not find it (ISO/IEC 18004). */
const quietZone = 4;

/**
 * A text as a QR code, black on white in the dark theme too: many cameras read no inverted ones. One path, because a code
 * has some thousand modules.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: quietZone, ecc: 'M' });
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="white" />
      <path d={pathOf(data)} fill="black" />
    </svg>
  );
}

/** A square for each dark module. */
const pathOf = (rows: readonly (readonly boolean[])[]) =>
  rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
