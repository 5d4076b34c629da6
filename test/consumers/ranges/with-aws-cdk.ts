// Prints the template of a stack with the role of the controller.
import { App, Stack } from 'aws-cdk-lib';
import { AwsLoadBalancerControllerRole } from 'cdk8s-load-balancers';

const app = new App();
const stack = new Stack(app, 'Identity', { env: { account: '123456789012', region: 'eu-west-1' } });
new AwsLoadBalancerControllerRole(stack, 'Role', { podIdentity: { clusterName: 'prod' } });
console.log(JSON.stringify(app.synth().getStackByName('Identity').template, undefined, 2));
