import type { Question } from '../api/sign-in-again.ts';
import type { OverlayName } from './overlay-name.ts';
import { useLate } from '../components/use-lazy-module.ts';
import { Palette } from './palette/palette.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

export { AccountMenu } from './account-menu.tsx';

const loadSignIn = () => import('../auth/reauthentication/sign-in-over.tsx');

/** Whatever lies over the screen at the moment. */
export function Overlays(props: {
  open: OverlayName | null;
  /** What was typed before they were here. */
  typed: string;
  onOpen: (name: OverlayName | null) => void;
  question: Question | null;
  onSomebodyElse: () => void;
}) {
  const { open, onOpen, question } = props;
  const signIn = useLate(loadSignIn, question !== null, () => question?.answer(false));
  const onClose = () => onOpen(null);
  return (
    <>
      {open === 'help' && <ShortcutsDialog onClose={onClose} />}
      {open === 'palette' && <Palette typed={props.typed} onClose={onClose} onHelp={() => onOpen('help')} />}
      {question && signIn && <signIn.SignInOver question={question} onSomebodyElse={props.onSomebodyElse} />}
    </>
  );
}
