using System.Collections.Generic;
using Constructs;
using Org.Cdk8s;

namespace EdgePlatform
{
    internal static class Workload
    {
        /// <summary>A Deployment of echo servers that listen on 8443.</summary>
        internal static ApiObject Of(Construct scope, string id)
        {
            var name = id.ToLowerInvariant();
            var labels = new Dictionary<string, object> { ["app"] = name };
            var deployment = new ApiObject(scope, id, new ApiObjectProps
            {
                ApiVersion = "apps/v1",
                Kind = "Deployment",
                Metadata = new ApiObjectMetadata { Name = name },
            });
            var port = new Dictionary<string, object> { ["name"] = "https", ["containerPort"] = 8443 };
            var container = new Dictionary<string, object>
            {
                ["name"] = "echo",
                ["image"] = "registry.example/echo:1.4.2",
                ["ports"] = new object[] { port },
            };
            var template = new Dictionary<string, object>
            {
                ["metadata"] = new Dictionary<string, object> { ["labels"] = labels },
                ["spec"] = new Dictionary<string, object> { ["containers"] = new object[] { container } },
            };
            deployment.AddJsonPatch(JsonPatch.Add("/spec", new Dictionary<string, object>
            {
                ["replicas"] = 2,
                ["selector"] = new Dictionary<string, object> { ["matchLabels"] = labels },
                ["template"] = template,
            }));
            return deployment;
        }
    }
}
