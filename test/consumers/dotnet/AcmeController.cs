using System;
using System.Collections.Generic;
using System.Linq;
using Amazon.JSII.Runtime.Deputy;
using Cdk8sLoadBalancers;
using Constructs;

namespace EdgePlatform
{
    /// <summary>The balancers of an Acme appliance, which this platform runs beside those of the cloud.</summary>
    public sealed class AcmeController : DeputyBase, ILoadBalancerController
    {
        public string Name => "acme";

        public ILoadBalancerPlan Bind(Construct scope, LoadBalancerRequest request)
        {
            var annotations = new Dictionary<string, string>
            {
                ["lb.acme.example/network"] = request.InternetFacing ? "internet" : "office",
            };
            var answers = new Dictionary<string, string>();
            if (request.Scheme != null)
            {
                answers[nameof(LoadBalancerWish.SCHEME)] = "annotation lb.acme.example/network";
            }
            var restriction = NodeRestriction.NONE;
            if (request.BackendNodes != null)
            {
                annotations["lb.acme.example/nodes"] = string.Join(",", request.BackendNodes.Labels
                    .OrderBy(label => label.Key, StringComparer.Ordinal)
                    .Select(label => $"{label.Key}={label.Value}"));
                answers[nameof(LoadBalancerWish.BACKEND_NODES)] = "annotation lb.acme.example/nodes";
                restriction = NodeRestriction.ON_SERVICE;
            }
            if (request.TrafficPolicy != null)
            {
                answers[nameof(LoadBalancerWish.TRAFFIC_POLICY)] = "externalTrafficPolicy";
            }
            return new LoadBalancerPlan
            {
                Owner = Name,
                LoadBalancerClass = "lb.acme.example/appliance",
                Finalizers = new[] { "lb.acme.example/cleanup" },
                Annotations = annotations,
                ExternalTrafficPolicy = request.TrafficPolicy,
                NodeRestriction = restriction,
                Answers = answers,
            };
        }
    }
}
