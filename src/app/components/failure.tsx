import { ApiError } from '../../contract/http/client.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './failure.module.css';

/** Says what failed and why, with a button to try again. */
export function Failure(props: {
  what: string;
  error: unknown;
  /** Sentences about the error. */
  reason: string;
  onRetry: () => void;
  busy?: boolean;
  /** As a paragraph, for a small part of a page. */
  inline?: boolean;
}) {
  const { reason } = props;
  if (props.inline)
    return (
      <p className="aside">
        {props.what}. {reason}{' '}
        <Button small busy={props.busy ?? false} onClick={props.onRetry}>
          Try again
        </Button>
      </p>
    );
  return (
    <div className={`card ${styles.failure}`} role="alert">
      <Icon name="alert" />
      <div>
        <h2>{props.what}</h2>
        <p>{reason}</p>
        <RequestId error={props.error} advice="If this continues, tell an administrator the request ID:" />
        <Button busy={props.busy ?? false} onClick={props.onRetry}>
          Try again
        </Button>
      </div>
    </div>
  );
}

/**
 * The ID by which administrators find the request in the log.
 *
 * @param props.advice the text before it if a server failed
 */
export function RequestId({ error, advice }: { error: unknown; advice?: string }) {
  if (!(error instanceof ApiError) || error.requestId === null) return null;
  return (
    <p className="aside">
      {error.status >= 500 && advice ? advice : 'Request ID'} <code>{error.requestId}</code>
    </p>
  );
}
