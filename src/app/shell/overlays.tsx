import type { ReauthenticationPrompt } from '../api/reauthentication.ts';
import type { OverlayName } from './use-global-shortcuts.ts';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { Palette } from './palette/palette.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

export { AccountMenu } from './account-menu.tsx';

const loadSignIn = () => import('../auth/reauthentication-dialog.tsx');

/** Whatever lies over the screen at the moment. */
export function Overlays(props: {
  open: OverlayName | null;
  /** What was typed before they were here. */
  typed: string;
  onOpen: (name: OverlayName | null) => void;
  prompt: ReauthenticationPrompt | null;
  onOtherUser: () => void;
}) {
  const { open, onOpen, prompt } = props;
  const signIn = useLazyModule(loadSignIn, prompt !== null, () => prompt?.finish(false));
  const onClose = () => onOpen(null);
  return (
    <>
      {open === 'help' && <ShortcutsDialog onClose={onClose} />}
      {open === 'palette' && <Palette typed={props.typed} onClose={onClose} onHelp={() => onOpen('help')} />}
      {prompt && signIn && <signIn.ReauthenticationDialog prompt={prompt} onOtherUser={props.onOtherUser} />}
    </>
  );
}
