// All example apps but the one that fails on purpose, mistakes.ts; `cdk8s synth` runs this file.
import './aks';
import './eks';
import './eks-adopted';
import './kafka-behind-a-gateway';
import './kafka-on-eks';
import './pinned-elsewhere';
import './platform';
import './tenants';
