import './preload.ts';

export { type RegisterOptions, type Registration, register } from './register.ts';
