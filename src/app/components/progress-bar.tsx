import type { ReactNode } from 'react';
import { grouped } from './format.ts';

/** The progress of something, as a bar and in figures. */
export function ProgressBar(props: {
  /** The name of the bar. */
  label: string;
  done: number;
  /** Null while nobody knows how much there is to do. */
  of: number | null;
  /** Behind the figures. */
  children?: ReactNode;
}) {
  const { label, done, of } = props;
  return (
    <div className="row">
      <progress aria-label={label} {...(of !== null && of > 0 && { value: done, max: of })} />
      <p>
        {grouped(done)}
        {of !== null && ` of ${grouped(of)}`}
        {props.children}
      </p>
    </div>
  );
}
