import './app.css';
import { startPhone } from './phone/start.tsx';

/** The first script of the supplier's phone app. The console's first script is main.ts. */
startPhone(document.getElementById('root')!, document.getElementById('entry')!);
