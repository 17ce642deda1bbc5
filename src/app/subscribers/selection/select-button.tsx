import { Button } from '../../components/button.tsx';
import { useSelecting } from './use-selecting.ts';

/** Turns selecting on and off, for those who may do something with a selection. */
export function SelectButton() {
  const { reason, isOn, act } = useSelecting();
  return (
    // Until it is known who is there it keeps its place, or the filters would move.
    reason === undefined && (
      <Button id="select" aria-pressed={isOn} onClick={() => act(({ leave }, app) => isOn && leave(app))}>
        Select
      </Button>
    )
  );
}
