import { ApiError } from '../../contract/http/client.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './failure.module.css';

/** What failed, why, and a button to try it again. */
export function Failure(props: {
  what: string;
  error: unknown;
  onRetry: () => void;
  busy?: boolean;
  /** As a paragraph, for a small part of a screen. */
  inline?: boolean;
}) {
  if (props.inline)
    return (
      <p className={styles.inline}>
        {props.what}. {reasonOf(props.error)}{' '}
        <Button small busy={props.busy ?? false} onClick={props.onRetry}>
          Try again
        </Button>
      </p>
    );
  return (
    <div className={styles.failure} role="alert">
      <Icon name="alert" />
      <div>
        <h2>{props.what}</h2>
        <p>{props.busy ? 'Trying again…' : reasonOf(props.error)}</p>
        <RequestId error={props.error} />
        <Button busy={props.busy ?? false} onClick={props.onRetry}>
          Try again
        </Button>
      </div>
    </div>
  );
}

/** What to quote to the people who run the service. */
export function RequestId({ error }: { error: unknown }) {
  if (!(error instanceof ApiError) || error.requestId === null) return null;
  return (
    <p className={styles.request}>
      Request <code>{error.requestId}</code>
    </p>
  );
}

/** The sentence of an error that is meant for people; anything else is a fault of the page itself. */
export function reasonOf(error: unknown): string {
  return error instanceof ApiError
    ? error.message
    : 'Something in this page went wrong. Reload it and try again.';
}
