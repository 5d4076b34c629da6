// Writes dist/*.k8s.yaml, and permissions.json for the stack that makes the role of the controller.
import { writeFileSync } from 'node:fs';
import { App } from 'cdk8s';
import { platform } from './app.js';

const app = new App();
const permissions = platform(app).map((policy) => policy.toPolicyDocument());
app.synth();
writeFileSync('permissions.json', `${JSON.stringify(permissions, undefined, 2)}\n`);
